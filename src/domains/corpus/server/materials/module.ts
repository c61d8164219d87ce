import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { MATERIAL_FILE, MATERIAL_TARGET } from '../../contract/materials/dictionaries.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { auditMaterialHandler } from './reviewActions.ts';
import { writeMaterials } from './demo/writeMaterials.ts';
import { folderHandlers } from './folders.ts';
import { materialExport, materialList } from './list.ts';
import { materialDetail, materialOptions, materialPreview, materialUsage } from './reads.ts';
import { addMaterialHandler, modifyMaterialHandler, removeMaterialHandler } from './save.ts';
import { wordReference } from './words.ts';

const MB = 1024 * 1024;

function registerFiles(): void {
  definePurpose({
    code: MATERIAL_FILE,
    label: '随访素材图片',
    types: ['jpg', 'png'],
    maxSize: 5 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['material.edit'].code],
  });
  const reads = async ({ staff }: { staff: { permissions: ReadonlySet<string> } }) => staff.permissions.has(may['corpus.view'].code);
  registerOwner(MATERIAL_TARGET, { canRead: reads, canReadOriginal: reads });
}

/** The library of what can be sent. */
export const materialsModule = (): FeatureModule => {
  registerFiles();
  return {
    handlers: (kernel) => [
      materialList(kernel).handler,
      materialDetail(kernel),
      addMaterialHandler,
      modifyMaterialHandler,
      removeMaterialHandler,
      auditMaterialHandler(kernel),
      materialUsage,
      materialPreview,
      materialOptions,
      ...folderHandlers,
    ],
    exports: (kernel) => [materialExport(materialList(kernel))],
    reference: [wordReference],
    demo: writeMaterials,
  };
};
