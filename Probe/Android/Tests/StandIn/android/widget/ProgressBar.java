package android.widget;

public class ProgressBar extends android.view.View {
  public int progress;
  public ProgressBar(android.content.Context context) { super(context); }
  public int getProgress() { return progress; }
}
