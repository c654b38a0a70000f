package android.graphics;

public class Bitmap {
  public enum Config { ARGB_8888 }
  public enum CompressFormat { PNG }
  public static Bitmap createBitmap(int width, int height, Config config) { return new Bitmap(); }
  public boolean compress(CompressFormat format, int quality, java.io.OutputStream stream) {
    try { stream.write(Canvas.drawn.toString().getBytes("UTF-8")); } catch (java.io.IOException e) { return false; }
    return true;
  }
}
