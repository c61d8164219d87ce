/** Systems of others that the product works with, beside the pay channels. */
export const OUTSIDE_PORTS = ['BANK', 'TAX', 'OMS', 'LOGISTICS'] as const;
export type OutsidePort = (typeof OUTSIDE_PORTS)[number];
