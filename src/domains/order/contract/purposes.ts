/** The licence by which a supplier may sell medicine. */
export const SUPPLIER_LICENCE = 'SUPPLIER_LICENCE';
