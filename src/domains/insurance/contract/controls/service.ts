import { declareService } from '#kernel/contract/service.ts';

export const controlService = declareService('ControlService', 'product');
