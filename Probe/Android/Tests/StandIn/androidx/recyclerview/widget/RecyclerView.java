package androidx.recyclerview.widget;

public class RecyclerView extends android.view.ViewGroup {
  public RecyclerView(android.content.Context context) { super(context); }
  public int getChildAdapterPosition(android.view.View child) { return 4 + indexOfChild(child); }
}
