package android.view;

public interface MenuItem { int getItemId(); CharSequence getTitle(); }
