import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { productOptions } from './options.ts';

/** Products with their versions. */
export const productsPart: ModulePart = { handlers: [productOptions] };
