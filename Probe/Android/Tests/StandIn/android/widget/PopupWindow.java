package android.widget;

public class PopupWindow {
  public static class PopupDecorView extends FrameLayout { public PopupDecorView(android.content.Context context) { super(context); } }
}
