import { lazy, Suspense } from 'react';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { auditProductVersion, type VersionBrief } from '../../contract/products/calls.ts';
import { versionReads } from './useVersionCommand.ts';

const VersionDiff = lazy(async () => ({ default: (await import('./VersionDiff.tsx')).VersionDiff }));

type Values = Pick<InputOf<typeof auditProductVersion>, 'opinion' | 'effectiveTo'>;

interface DialogProps {
  head: Pick<VersionBrief, 'id' | 'version' | 'versionNo'>;
  onClose(): void;
  onDone(): void;
}

/** Hands a version in: the change note, and what it says otherwise than the one before. */
export function SubmitDialog({ head, before, onClose, onDone }: DialogProps & { before: string | undefined }) {
  return (
    <FormDialog<typeof auditProductVersion, Values>
      open
      title={`提交审核 V${head.versionNo}`}
      width={920}
      call={auditProductVersion}
      toInput={({ opinion }) => ({ id: head.id, version: head.version, action: 'submit', opinion: opinion ?? '' })}
      refreshes={versionReads}
      success="操作成功!"
      submitText="提交"
      onClose={onClose}
      onDone={onDone}
    >
      <Field of={auditProductVersion} name="opinion" label="变更说明" required placeholder="说明本次调整的内容和原因" />
      {before && (
        <>
          <p className="ins-sub">与上一版的差异</p>
          <Suspense fallback={null}>
            <VersionDiff fromId={before} toId={head.id} />
          </Suspense>
        </>
      )}
    </FormDialog>
  );
}

/** Sets the last day of a published version. */
export function EndDialog({ head, onClose, onDone }: DialogProps) {
  return (
    <FormDialog<typeof auditProductVersion, Values>
      open
      title={`设置失效日 V${head.versionNo}`}
      width={480}
      call={auditProductVersion}
      toInput={({ opinion, effectiveTo }) => ({
        id: head.id,
        version: head.version,
        action: 'endVersion',
        opinion: opinion ?? '',
        ...(effectiveTo && { effectiveTo }),
      })}
      refreshes={versionReads}
      success="操作成功!"
      onClose={onClose}
      onDone={onDone}
    >
      <Field of={auditProductVersion} name="effectiveTo" required />
      <Field of={auditProductVersion} name="opinion" required />
    </FormDialog>
  );
}
