import { Field } from '#kernel/web/form/Field.tsx';
import type { addRefund, reopenRefund } from '../../contract/calls/refunds.ts';

/** To whom a transfer goes. */
export function PayeeFields({ of }: { of: typeof addRefund | typeof reopenRefund }) {
  return (
    <>
      <Field of={of} name="payeeName" starred />
      <Field of={of} name="payeeBank" starred />
      <Field of={of} name="payeeAccount" starred />
    </>
  );
}
