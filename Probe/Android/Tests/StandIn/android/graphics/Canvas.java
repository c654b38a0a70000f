package android.graphics;

public class Canvas {
  public static final StringBuilder drawn = new StringBuilder();
  public Canvas(Bitmap bitmap) {}
  public int save() { return 0; }
  public void restore() {}
  public void translate(float x, float y) {}
  public void drawRect(float left, float top, float right, float bottom, Paint paint) {
    drawn.append("cover " + left + " " + top + " " + right + " " + bottom + "\n");
  }
}
