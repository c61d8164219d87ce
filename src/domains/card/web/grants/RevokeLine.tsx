import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { queryGrantDetail, revokeGrant, type GrantLineRow } from '../../contract/calls/grants.ts';
import { grantReads } from './useGrantActions.ts';
import { atMost } from '#kernel/web/form/formRules.ts';

interface Values {
  amount?: number | null;
  opinion: string;
}

/** 撤回 of one line: an amount, or all that is neither spent nor held. */
export function RevokeLine({ line, onClose }: { line: GrantLineRow; onClose(): void }) {
  const granted = line.amount + line.bonus - line.revokedAmount;
  return (
    <FormRecord call={queryGrantDetail} input={{ grantId: line.grantId }} title="撤回发放" width={560} onClose={onClose}>
      {(grant) => (
        <FormDialog<typeof revokeGrant, Values>
          open
          title={`撤回发放 ${grant.grantNo} 第${line.rowNo}行`}
          call={revokeGrant}
          toInput={({ amount, opinion }) => ({
            grantId: line.grantId,
            version: grant.version,
            lineId: line.id,
            ...(typeof amount === 'number' && { amount }),
            opinion,
          })}
          refreshes={grantReads}
          success="已撤回"
          onClose={onClose}
        >
          <p>
            {line.holderName}　发放 {yuan(line.amount + line.bonus, true)} 元，已撤回 {yuan(line.revokedAmount, true)} 元
          </p>
          <Field
            of={revokeGrant}
            name="amount"
            label="撤回金额（元）"
            extra="不填则撤回全部未使用的金额"
            rules={[atMost('撤回金额', granted)]}
          >
            <MoneyInput />
          </Field>
          <Field of={revokeGrant} name="opinion" placeholder="写明撤回原因" />
        </FormDialog>
      )}
    </FormRecord>
  );
}
