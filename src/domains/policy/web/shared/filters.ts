import { InsurerPicker, ProductPicker } from '#kernel/web/kit/pickers.tsx';

/** Insurer and product as search fields of a list. */
export const insurerFilter = { kind: 'picker', name: 'insurerId', picker: InsurerPicker } as const;
export const productFilter = { kind: 'picker', name: 'productId', picker: ProductPicker } as const;
