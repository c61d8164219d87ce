import type { Config } from '../config/config.ts';
import { NotConnected, standIn } from '../outside/outside.ts';
import type { SimulationParts } from '../outside/simulation.ts';
import { unknownInvoice, unknownIssue, type TaxPlatform } from './port.ts';
import { simulatedTax } from './simulator.ts';

const refused = () => Promise.reject(new NotConnected('TAX'));
const nobody: TaxPlatform = {
  available: false,
  issue: refused,
  query: () => Promise.resolve(unknownIssue),
  red: refused,
  queryRed: () => Promise.resolve(unknownIssue),
  verify: () => Promise.resolve(unknownInvoice),
  quota: () => Promise.resolve(null),
};

export const makeTax = (parts: SimulationParts & { config: Pick<Config, 'simulated'> }): TaxPlatform =>
  standIn(parts.config, 'TAX', () => simulatedTax(parts)) ?? nobody;
