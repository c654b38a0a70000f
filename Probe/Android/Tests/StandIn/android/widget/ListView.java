package android.widget;

public class ListView extends AdapterView<Object> {
  public ListView(android.content.Context context) { super(context); }
  public int getHeaderViewsCount() { return 1; }
  public int getFooterViewsCount() { return 1; }
}
