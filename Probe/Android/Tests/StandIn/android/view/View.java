package android.view;

import android.content.Context;
public class View {
  public static final int NO_ID = -1, VISIBLE = 0, INVISIBLE = 4, GONE = 8;
  public int id = NO_ID, left, top, width, height, visibility;
  public float alpha = 1, translationX, translationY;
  public boolean enabled = true, clickable, hasHardwareBitmap;
  public CharSequence description;
  private final Context context;
  public View(Context context) { this.context = context; }
  public Context getContext() { return context; }
  public int getId() { return id; }
  public int getLeft() { return left; }
  public int getTop() { return top; }
  public android.graphics.Matrix getMatrix() { return new android.graphics.Matrix(translationX, translationY); }
  public float getX() { return left + translationX; }
  public float getY() { return top + translationY; }
  public int getWidth() { return width; }
  public int getHeight() { return height; }
  public int getScrollX() { return 0; }
  public int getScrollY() { return 0; }
  public int getVisibility() { return visibility; }
  public float getAlpha() { return alpha; }
  public boolean isEnabled() { return enabled; }
  public boolean isClickable() { return clickable; }
  public boolean isLongClickable() { return false; }
  public CharSequence getContentDescription() { return description; }
  public void getLocationOnScreen(int[] place) { place[0] = left; place[1] = top; }
  public void draw(android.graphics.Canvas canvas) {
    if (hasHardwareBitmap) throw new IllegalArgumentException("Software rendering doesn't support hardware bitmaps");
  }
}
