// Visualized
