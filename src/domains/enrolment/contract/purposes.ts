/** What the mark of a special user is based on. */
export const MARK_EVIDENCE = 'ENROL_MARK';
/** What is handed in with an application. */
export const ENROL_MATERIAL = 'ENROL_MATERIAL';
/** What an insurer concluded, on paper. */
export const INSURER_PROOF = 'INSURER_PROOF';
/** What is handed in for a contract after it was made. */
export const OTHER_MATERIAL_PAPER = 'ENROL_OTHER_MATERIAL';
