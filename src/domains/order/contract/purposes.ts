/** The licence by which a supplier may sell medicine. */
export const SUPPLIER_LICENCE = 'SUPPLIER_LICENCE';
/** The prescription of an order. */
export const ORDER_RX = 'ORDER_RX';
/** Temperatures of a parcel of the cold chain. */
export const TEMPERATURE_RECORD = 'TEMPERATURE_RECORD';
