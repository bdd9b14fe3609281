/**
 * Loaded before the tests of a short run: without an explicit number of runs, properties get a fifth of the usual one.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 });
