import type { ReactNode } from 'react';

/** A label with its value; a wide one takes the whole line. */
export interface Fact {
  label: string;
  value: ReactNode;
  wide?: boolean;
}
