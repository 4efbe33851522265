// Findings of which no side is asked: they are of the middle or of the whole chest, and a scoliosis bends to both.

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
