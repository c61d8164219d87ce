import { declareService } from './declare.ts';

// Apart from their calls: whoever asks for choices alone needs none of the rest.
export const agentService = declareService('AgentService');
export const drugService = declareService('DrugService');
