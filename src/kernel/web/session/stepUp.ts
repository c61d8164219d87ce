/** How the product asks a person again who he is before a dangerous act (a code by SMS, or the password). */
interface StepUp {
  /** Refusal with which the server asks for it. */
  code: string;
  /** Opens the dialog; true when the identity was confirmed. */
  confirm(): Promise<boolean>;
}

let place: StepUp | undefined;
let asking: Promise<boolean> | undefined;

/** Called by the domain that knows how, while its dialog can be shown. */
export const provideStepUp = (given: StepUp | undefined): void => void (place = given);

/** Whether a refusal is answered by the dialog instead of a toast. */
export const asksIdentity = (code: string): boolean => place?.code === code;

/**
 * Opens the dialog 身份确认; several calls that ask at once share it.
 * The HTTP client does this by itself for a refused call and repeats the call once.
 */
export async function confirmIdentity(): Promise<boolean> {
  asking ??= (place?.confirm() ?? Promise.resolve(false)).finally(() => (asking = undefined));
  return asking;
}
