import type { Call } from '../../../../kernel/contract/call.ts';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { auditControlRule, type ControlVersion } from '../../contract/controls/rules.ts';

/** The last day of a published version. */
export function EndVersion({ version, refreshes, onClose }: { version: ControlVersion; refreshes: readonly Call[]; onClose(): void }) {
  return (
    <FormDialog<typeof auditControlRule, { effectiveTo: string; opinion: string }>
      open
      title="设置失效日"
      call={auditControlRule}
      toInput={({ effectiveTo, opinion }) => ({ id: version.id, version: version.version, action: 'endVersion', opinion, effectiveTo })}
      refreshes={refreshes}
      success="操作成功!"
      onClose={onClose}
    >
      <Field of={auditControlRule} name="effectiveTo" required />
      <Field of={auditControlRule} name="opinion" required />
    </FormDialog>
  );
}
