// Findings without a side: they are central or affect the whole chest, and a scoliosis bends to both sides.

export const SIDELESS = new Set([
  "Aortic Elongation",
  "Cardiomegaly",
  "Aortic Atheromatosis",
  "Support Devices",
  "Vertebral Degenerative Changes",
  "Hyperinflated Lung",
  "Hernia",
  "Kyphosis",
  "Hypoexpansion",
  "Sternotomy",
  "Emphysema",
  "Azygos Lobe",
  "Goiter",
  "Osteopenia",
  "Scoliosis",
]);
