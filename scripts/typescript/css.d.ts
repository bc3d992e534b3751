// Vite puts an imported style sheet into the page; the import has no value.
declare module "*.css";
