package android.app;

public class Activity extends android.content.Context {
  public android.view.Window window;
  public CharSequence getTitle() { return "花店"; }
  public android.view.Window getWindow() { return window; }
}
