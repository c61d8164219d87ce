import { declareService } from '#kernel/contract/service.ts';
import { markPermissions as may } from '../permissions.ts';

const service = declareService('MarkService');

export const MARK_BINDING_IMPORTER = 'content.markBinding';

export const importMarkBinding = service.imports({ operation: 'importMarkBinding', label: '导入打标记录', access: may['mark.bind'] });
