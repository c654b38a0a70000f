package android.widget;

public class ExpandableListView extends ListView {
  public static final int PACKED_POSITION_TYPE_GROUP = 0, PACKED_POSITION_TYPE_CHILD = 1, PACKED_POSITION_TYPE_NULL = 2;
  public ExpandableListView(android.content.Context context) { super(context); }
  // A header, group 0 with two children, group 1, a footer.
  public long getExpandableListPosition(int position) {
    switch (position) {
      case 1: return 0;
      case 2: return 1 << 16;
      case 3: return 1 << 16 | 1;
      case 4: return 1 << 8;
      default: return 2 << 16;
    }
  }
  public static int getPackedPositionType(long packed) { return (int) (packed >> 16); }
  public static int getPackedPositionGroup(long packed) { return (int) (packed >> 8 & 0xff); }
  public static int getPackedPositionChild(long packed) { return (int) (packed & 0xff); }
}
