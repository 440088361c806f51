// The activation of an epilogue, chosen when the text is made.
#if GELU
// Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: |error| <= 1.5e-7.
fn erf(x: f32) -> f32 {
  let t = 1 / (1 + 0.3275911 * abs(x));
  let polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return sign(x) * (1 - polynomial * exp(-x * x));
}
#end

fn activate(x: f32) -> f32 {
#if RELU
  return max(x, 0);
#elif GELU
  return 0.5 * x * (1 + erf(x * 0.70710678));
#elif GELU_TANH
  // The argument is clamped since some drivers' tanh overflows; beyond 10 it is 1 in f32.
  return 0.5 * x * (1 + tanh(clamp(0.79788456 * (x + 0.044715 * x * x * x), -10, 10)));
#elif SILU
  return x / (1 + exp(-x));
#elif CLAMP
  return clamp(x, dims.lower, dims.upper);
#else
  return x;
#end
}
