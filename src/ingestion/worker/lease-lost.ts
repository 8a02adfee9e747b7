/** Thrown when the batch was deleted or taken over: the holder goes on, this worker writes no more. */
export class LeaseLost extends Error {}

/** Lets a write of the lease's holder through. Throws LeaseLost where it was refused. */
export async function held(written: Promise<boolean>): Promise<void> {
  if (!(await written)) throw new LeaseLost();
}
