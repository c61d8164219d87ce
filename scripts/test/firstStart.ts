/**
 * Variable that names a data folder: the interrupted first start leaves its data there, and the journeys begin on copies of it. Each
 * would else spend its first minutes on writing the same demonstration.
 */
export const FIRST_START = 'TEST_FIRST_START';
