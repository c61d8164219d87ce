/** The licence by which a supplier may sell medicine. */
export const SUPPLIER_LICENCE = 'SUPPLIER_LICENCE';
/** What shows why something is returned. */
export const AFTER_SALE_PROOF = 'AFTER_SALE_PROOF';
/** The prescription of an order. */
export const ORDER_RX = 'ORDER_RX';
/** Temperatures of a parcel of the cold chain. */
export const TEMPERATURE_RECORD = 'TEMPERATURE_RECORD';
/** Receipt, prescription and invoice of a purchase that is registered afterwards. */
export const MANUAL_PROOF = 'MANUAL_ORDER_PROOF';
