package androidx.fragment.app;

public class Fragment {
  public android.view.View view;
  public int id;
  public boolean hidden;
  public android.view.View getView() { return view; }
  public int getId() { return id; }
  public boolean isHidden() { return hidden; }
  public boolean isResumed() { return true; }
}
