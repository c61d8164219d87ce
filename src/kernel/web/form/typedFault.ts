import { createContext, type RefObject } from 'react';

/**
 * Why what stands in a field is not taken, told by its control to its form item, whose rule refuses it by the same words: what a control
 * could not read is nothing to the form, and nothing is often allowed. Null: no form item asks.
 */
export const TypedFault = createContext<RefObject<string | null> | null>(null);
