import type { ReactNode } from 'react';
import type { Call } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import type { auditControlRule } from '../../contract/controls/rules.ts';
import type { auditProductVersion } from '../../contract/products/calls.ts';

interface Props {
  /** The call by which versions of the kind go along their states. */
  call: typeof auditProductVersion | typeof auditControlRule;
  version: { id: string; version: number; versionNo: number };
  refreshes: readonly Call[];
  onClose(): void;
  onDone?(): void;
}

interface Values {
  opinion?: string;
  effectiveTo?: string;
}

/** Hands a version in with its change note; below it, what it says otherwise than the one before. */
export function SubmitVersion({ version: { id, version, versionNo }, children, onDone, ...shared }: Props & { children?: ReactNode }) {
  return (
    <FormDialog<Props['call'], Values>
      {...shared}
      open
      title={`提交审核 V${versionNo}`}
      width={children ? 920 : 520}
      toInput={({ opinion }) => ({ id, version, action: 'submit', opinion: opinion ?? '' })}
      success="操作成功!"
      submitText="提交"
      {...(onDone && { onDone })}
    >
      <Field of={shared.call} name="opinion" label="变更说明" required placeholder="说明本次调整的内容和原因" />
      {children}
    </FormDialog>
  );
}

/** Sets the last day of a published version. */
export function EndVersion({ version: { id, version, versionNo }, onDone, ...shared }: Props) {
  return (
    <FormDialog<Props['call'], Values>
      {...shared}
      open
      title={`设置失效日 V${versionNo}`}
      width={480}
      toInput={({ opinion, effectiveTo }) => ({
        id,
        version,
        action: 'endVersion',
        opinion: opinion ?? '',
        ...(effectiveTo && { effectiveTo }),
      })}
      success="操作成功!"
      {...(onDone && { onDone })}
    >
      <Field of={shared.call} name="effectiveTo" required />
      <Field of={shared.call} name="opinion" required />
    </FormDialog>
  );
}
