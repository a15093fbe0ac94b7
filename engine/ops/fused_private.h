#pragma once
// Parts of the fused family that live in files of their own.

namespace gelens {

class OpRegistry;

void registerFlashAttentionOps(OpRegistry&); ///< FlashAttentionScore, PromptFlashAttention
void registerFusedNormOps(OpRegistry&);      ///< AddRmsNorm, InplaceAddRmsNorm, AddLayerNorm, SkipLayerNorm forms
void registerFusedMatMulOps(OpRegistry&);    ///< MatmulEpilogue, MatmulSwiGlu
void registerEltwiseCastOps(OpRegistry&);    ///< EltwiseCast
void registerRotaryOps(OpRegistry&);         ///< RotaryPositionEmbedding, RotaryMul, ApplyRotaryPosEmb
void registerGatedOps(OpRegistry&); ///< SwiGlu, SwiGluMul, GeGlu forms, FusedMulAdd, FusedMulAddN, ConfusionTransposeD

} // namespace gelens
