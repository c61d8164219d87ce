/** What kind of house a machine caller belongs to; a signed call names those that it is for. */
export const MACHINE_PARTIES = ['INSURER', 'PHARMA', 'SUPPLIER', 'CHAIN', 'MINI_APP', 'PAY', 'OTHER'] as const;
export type MachineParty = (typeof MACHINE_PARTIES)[number];

/** Parties of which there are many: their machines name the one house whose rows they reach. */
export const needsHouse = (party: MachineParty): boolean => party === 'INSURER' || party === 'CHAIN';
