import { useRef, useState } from 'react';
import type { Call, InputOf, OutputOf } from '../../contract/call.ts';
import { toast } from '../feedback/toast.ts';
import { download, type Downloaded } from '../http/download.ts';
import { RefusalError, TransportError } from '../http/refusal.ts';

interface SaveOptions {
  /** Said once the file is there. */
  success?: string;
  /** Name of a file that comes without one. */
  fileName?: string;
}

/** Saves the file that a call answers. @returns null where it was refused: the error law has said why */
export async function saveFile<C extends Call>(
  call: C,
  input: InputOf<C>,
  { success, fileName }: SaveOptions = {},
): Promise<Downloaded<OutputOf<C>> | null> {
  try {
    const answer = await download(call, input, fileName === undefined ? {} : { fileName });
    if (success && answer.kind === 'saved') toast(success);
    return answer;
  } catch (error) {
    if (error instanceof RefusalError || error instanceof TransportError) return null;
    throw error;
  }
}

/** The same behind a button: busy while it runs, a second click does nothing. */
export function useSaveFile<C extends Call>(call: C, options: SaveOptions = {}) {
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  const save = async (input: InputOf<C>): Promise<Downloaded<OutputOf<C>> | null> => {
    if (underWay.current) return null;
    underWay.current = true;
    setBusy(true);
    try {
      return await saveFile(call, input, options);
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return { save, busy };
}
