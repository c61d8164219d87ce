import type { NumberPlace } from '../../contract/numberPlace.ts';

type Loader = () => Promise<{ numberPlaces: readonly NumberPlace[] }>;
let load: Loader | undefined;

/** Set once by the composition root; asked for when somebody looks for a number. */
export const provideNumbers = (given: Loader): void => void (load = given);
export const allNumbers = async (): Promise<readonly NumberPlace[]> => (await load?.())?.numberPlaces ?? [];
