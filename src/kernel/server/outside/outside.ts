import type { Config } from '../config/config.ts';
import type { OutsidePort } from './ports.ts';

/** The work needs a system that this installation is not connected with; the text is for the log. */
export class NotConnected extends Error {
  constructor(port: OutsidePort) {
    super(`nothing stands behind the port ${port}: connect it, or name it in KANGQIAO_SIMULATE`);
    this.name = 'NotConnected';
  }
}

/** The stand-in where it is allowed: everywhere but in production, and there where `KANGQIAO_SIMULATE` names it. */
export const standIn = <S extends object>({ simulated }: Pick<Config, 'simulated'>, port: OutsidePort, make: () => S): S | null =>
  simulated.includes(port) ? make() : null;
