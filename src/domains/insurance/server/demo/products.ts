import type { DemoProduct } from './frame.ts';
import { insuredProducts } from './insured.ts';
import { sponsoredProducts } from './sponsored.ts';

/** 14 products over all lines and types. */
export const demoProducts: readonly DemoProduct[] = [...insuredProducts, ...sponsoredProducts];
