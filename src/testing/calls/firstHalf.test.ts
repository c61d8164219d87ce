import { tryCases } from './tryCases.ts';

tryCases(0);
