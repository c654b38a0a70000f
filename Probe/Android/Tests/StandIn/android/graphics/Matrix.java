package android.graphics;

public class Matrix {
  final float dx, dy;
  public Matrix(float dx, float dy) { this.dx = dx; this.dy = dy; }
}
