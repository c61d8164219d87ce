import { queryContractDetail, queryContractList } from '../../contract/calls/contracts.ts';
import { queryContractPayDetail, queryContractPayList } from '../../contract/calls/contractPays.ts';

/** What is shown of contracts and their payments. */
export const contractReads = [queryContractList, queryContractDetail, queryContractPayDetail, queryContractPayList];
