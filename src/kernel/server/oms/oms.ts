import type { Config } from '../config/config.ts';
import { NotConnected, standIn } from '../outside/outside.ts';
import type { SimulationParts } from '../outside/simulation.ts';
import { unknownFulfilment, type Oms } from './port.ts';
import { simulatedOms } from './simulator.ts';

const refused = () => Promise.reject(new NotConnected('OMS'));
const nobody: Oms = { available: false, ping: refused, push: refused, query: () => Promise.resolve(unknownFulfilment), cancel: refused };

export const makeOms = (parts: SimulationParts & { config: Pick<Config, 'simulated'> }): Oms =>
  standIn(parts.config, 'OMS', () => simulatedOms(parts)) ?? nobody;
