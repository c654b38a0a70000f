package android.widget;

public class AdapterView<T> extends android.view.ViewGroup {
  public int first;
  public AdapterView(android.content.Context context) { super(context); }
  public int getFirstVisiblePosition() { return first; }
  public int getCount() { return first + getChildCount(); }
}
