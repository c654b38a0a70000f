package android.view;

import android.content.Context;
import java.util.ArrayList;
import java.util.List;
public class ViewGroup extends View {
  private final List<View> children = new ArrayList<>();
  public ViewGroup(Context context) { super(context); }
  public ViewGroup with(View... views) { for (View view : views) children.add(view); return this; }
  public int getChildCount() { return children.size(); }
  public View getChildAt(int i) { return children.get(i); }
  public int indexOfChild(View view) { return children.indexOf(view); }
}
