package android.widget;

public class RatingBar extends ProgressBar {
  public RatingBar(android.content.Context context) { super(context); }
  public float getRating() { return 4.5f; }
}
