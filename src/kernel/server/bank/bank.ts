import type { Config } from '../config/config.ts';
import { NotConnected, standIn } from '../outside/outside.ts';
import type { SimulationParts } from '../outside/simulation.ts';
import { unknownPayout, type Bank } from './port.ts';
import { simulatedBank, type BankSimulator } from './simulator.ts';

export interface BankDesk extends Bank {
  /** The stand-in, where nothing real is connected and it is allowed. */
  simulator: BankSimulator | null;
}

const nobody: Bank = {
  available: false,
  submit: () => Promise.reject(new NotConnected('BANK')),
  query: () => Promise.resolve(unknownPayout),
};

export function makeBank(parts: SimulationParts & { config: Pick<Config, 'simulated'> }): BankDesk {
  const simulator = standIn(parts.config, 'BANK', () => simulatedBank(parts));
  const { available, submit, query } = simulator ?? nobody;
  return { available, submit, query, simulator };
}
