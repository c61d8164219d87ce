export const seconds = (n: number): number => n * 1000;
