import type { FormInstance } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerOf, Call, InputOf } from '../../contract/call.ts';
import { platformErrors } from '../../contract/errors.ts';
import type { Answer } from '../http/client.ts';
import type { SuccessText } from '../feedback/successTexts.ts';
import { useCommand } from '../http/queries.ts';
import { RefusalError } from '../http/refusal.ts';
import type { SendOptions } from '../http/request.ts';
import { sortFaults } from './faults.ts';

export interface FormCommandOptions<C extends Call, Values> {
  call: C;
  form: FormInstance<Values>;
  /** The call's input for the form's values; absent: the values themselves. */
  toInput?(values: Values): InputOf<C>;
  /** Version of the edited record, when it travels as `If-Match`. */
  version?: number;
  /** Labels of what the form holds otherwise than the call takes it, for the conflict dialog; all others are the contract's. */
  labels?: Readonly<Record<string, string>>;
  /** A value of the conflict dialog for people, where the contract does not say what it is. */
  display?(name: string, value: unknown): unknown;
  /** The form's values for the record as it comes with a conflict: compared with the operator's, and loaded when he takes it. */
  valuesOf?(current: Record<string, unknown>): Partial<Values>;
  /** The operator took the record as it is stored now; loads it into the form, where more than its fields changes. */
  onReload?(current: Record<string, unknown>): void;
  /** The operator keeps his input; takes over the current version for the next try. */
  onKeep?(current: Record<string, unknown>): void;
  /** Sees a refusal first; true = the form shows it itself. */
  onRefused?(error: RefusalError): boolean;
  success?: SuccessText;
  refreshes?: readonly Call[];
  onDone?(answer: Answer<AnswerOf<C>>): void;
}

const { MALFORMED, CHANGED } = platformErrors;

/** Submits a form: server's field refusals inline, other refusals above the buttons, conflicts with differences. */
export function useFormCommand<C extends Call, Values extends object>(options: FormCommandOptions<C, Values>) {
  const { call, form, toInput, version, labels, display, valuesOf, onReload, onKeep, onRefused, success, refreshes, onDone } = options;
  const [alert, setAlert] = useState<string | null>(null);
  const act = useCommand(call, {
    ...(success !== undefined && { success }),
    ...(refreshes && { refreshes }),
    ...(onDone && { onSuccess: onDone }),
  });
  // After a conflict the next save is made on the version that the operator has been shown.
  const shownVersion = useRef<{ insteadOf: unknown; version: number } | null>(null);
  useEffect(() => setAlert(null), [call]);

  const submit = useCallback(
    async (values: Values): Promise<boolean> => {
      setAlert(null);
      const given = toInput ? toInput(values) : (values as InputOf<C>);
      const own = 'version' in (given as object) ? (given as { version: unknown }).version : undefined;
      const basis = own ?? version;
      const taken = shownVersion.current?.insteadOf === basis ? shownVersion.current?.version : undefined;
      const input = taken !== undefined && own !== undefined ? ({ ...(given as object), version: taken } as InputOf<C>) : given;
      const sendOptions: SendOptions = { quiet: true, ...(version !== undefined && { version: taken ?? version }) };
      try {
        return (await act.run(input, sendOptions)) !== null;
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        if (onRefused?.(error)) return false;
        if (error.code === CHANGED.code && isCurrent(error.data)) {
          const goOn = (then: ((current: Record<string, unknown>) => void) | undefined) => (current: Record<string, unknown>) => {
            const now = current['version'];
            if (typeof now === 'number') shownVersion.current = { insteadOf: basis, version: now };
            then?.(current);
          };
          const stored = error.data.current;
          setAlert(error.message);
          const own = new Map<string, unknown>(Object.entries(values));
          const sent = new Map<string, unknown>(Object.entries(given as object));
          // What names the record and the act is sent beside the form's fields, and compared only where the record tells of it.
          const compared = [...sent].filter(([name]) => own.has(name) || name in stored);
          // What the form holds just as the call takes it can be set as it is stored.
          const holds = (name: string) => own.has(name) && own.get(name) === sent.get(name);
          const load =
            onReload ??
            (valuesOf
              ? (current: Record<string, unknown>) => form.setFieldsValue(valuesOf(current))
              : (current: Record<string, unknown>) =>
                  setFields(
                    form,
                    [...own.keys()].filter((name) => holds(name) && name in current),
                    current,
                  ));
          // Rarely met: fetched by the first conflict, not with every form.
          const { showConflict } = await import('./conflict.tsx');
          await showConflict({
            call,
            message: error.message,
            mine: Object.fromEntries(valuesOf ? [...compared, ...own] : [...own, ...compared]),
            current: { ...stored, ...valuesOf?.(stored) },
            ...(labels && { labels }),
            ...(display && { display }),
            ...(!onReload && !valuesOf && { loads: holds }),
            onReload: goOn(() => {
              setAlert(null);
              load(stored);
            }),
            onKeep: goOn(onKeep),
          });
          return false;
        }
        const shown = form.getFieldsError().map((field) => field.name);
        const { inline, other } = sortFaults(error.code === MALFORMED.code || error.fields.length ? error.fields : [], shown);
        // The server names fields by their path; that the form has them is known from its own list.
        const byPath: Pick<FormInstance, 'setFields' | 'scrollToField'> = form;
        byPath.setFields(inline);
        const first = inline[0];
        if (first) byPath.scrollToField(first.name, { block: 'center' });
        if (other.length) setAlert(other.join('；'));
        else if (!inline.length) setAlert(error.message);
        return false;
      }
    },
    [act, call, form, labels, display, valuesOf, onReload, onKeep, onRefused, toInput, version],
  );
  return { submit, busy: act.busy, flying: act.flying, alert };
}

/** The form's fields by their names, as they are stored. */
function setFields(form: Pick<FormInstance, 'setFieldValue'>, names: readonly string[], stored: Readonly<Record<string, unknown>>): void {
  for (const name of names) form.setFieldValue(name, stored[name]);
}

const isCurrent = (data: unknown): data is { current: Record<string, unknown> } =>
  typeof data === 'object' && data !== null && 'current' in data && typeof data.current === 'object' && data.current !== null;
