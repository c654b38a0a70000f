package android.graphics;

public class Canvas {
  public static final StringBuilder drawn = new StringBuilder();
  public Canvas(Bitmap bitmap) {}
  private final java.util.ArrayDeque<float[]> saved = new java.util.ArrayDeque<>();
  private float x, y;
  public int save() { saved.push(new float[] {x, y}); return saved.size(); }
  public void restore() { float[] origin = saved.pop(); x = origin[0]; y = origin[1]; }
  public void translate(float dx, float dy) { x += dx; y += dy; }
  public void concat(Matrix matrix) { translate(matrix.dx, matrix.dy); }
  public void drawRect(float left, float top, float right, float bottom, Paint paint) {
    drawn.append("cover " + (x + left) + " " + (y + top) + " " + (x + right) + " " + (y + bottom) + "\n");
  }
}
