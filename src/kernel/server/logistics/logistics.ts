import type { Config } from '../config/config.ts';
import { NotConnected, standIn } from '../outside/outside.ts';
import type { SimulationParts } from '../outside/simulation.ts';
import type { Logistics } from './port.ts';
import { simulatedLogistics } from './simulator.ts';

const nobody: Logistics = {
  available: false,
  subscribe: () => Promise.reject(new NotConnected('LOGISTICS')),
  traces: () => Promise.resolve(null),
};

export const makeLogistics = (parts: SimulationParts & { config: Pick<Config, 'simulated'> }): Logistics =>
  standIn(parts.config, 'LOGISTICS', () => simulatedLogistics(parts)) ?? nobody;
