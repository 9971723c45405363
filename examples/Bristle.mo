package Bristle "Friction elements of Bristle between flanges and frames"
  // Import an FMU of Bristle (for example FrDyn2.fmu, Model Exchange) into the tool first. The block that the tool makes of it has the
  // inputs F_N and v and the output F_R: redeclare `element` by it.
  //
  //   Bristle.TranslationalFriction friction(redeclare model Element = FrDyn2_fmu);
  //
  // v is the velocity of flange_b or frame_b (the body) relative to flange_a or frame_a (its counterpart). F_R resists v on the body.

  partial block FrictionElement "Variables of an imported FMU that these models use"
    Modelica.Blocks.Interfaces.RealInput F_N(unit = "N") "Normal force, positive in compression";
    Modelica.Blocks.Interfaces.RealInput v(unit = "m/s") "Velocity of the body relative to its counterpart";
    Modelica.Blocks.Interfaces.RealOutput F_R(unit = "N") "Friction force on the body against v";
  end FrictionElement;

  model TranslationalFriction "Friction between two translational flanges"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant;
    replaceable model Element = FrictionElement constrainedby FrictionElement;
    Element element;
    Modelica.Blocks.Interfaces.RealInput F_N(unit = "N") "Normal force of the contact";
  equation
    element.F_N = F_N;
    element.v = der(s_rel);
    f = element.F_R;
  end TranslationalFriction;

  model RotationalFriction "Friction of a revolute joint or a brake, by an element along a line at a friction radius"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliant;
    parameter Modelica.Units.SI.Length radius = 0.1 "Friction radius";
    replaceable model Element = FrictionElement constrainedby FrictionElement;
    Element element;
    Modelica.Blocks.Interfaces.RealInput F_N(unit = "N") "Normal force of the contact";
  equation
    element.F_N = F_N;
    element.v = radius*der(phi_rel);
    tau = radius*element.F_R;
  end RotationalFriction;

  model FrameFriction "Friction along an axis that is fixed in frame_a"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    import Modelica.Mechanics.MultiBody.Frames;
    parameter Real n[3] = {1, 0, 0} "Direction of the motion, resolved in frame_a, of length 1";
    replaceable model Element = FrictionElement constrainedby FrictionElement;
    Element element;
    Modelica.Blocks.Interfaces.RealInput F_N(unit = "N") "Normal force of the contact";
  protected
    Modelica.Units.SI.Position r[3] "Position of frame_b relative to frame_a, resolved in frame_a";
    Modelica.Units.SI.Force f[3] "Cut force at frame_b, resolved in frame_a";
  equation
    r = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
    element.F_N = F_N;
    element.v = n*der(r);
    f = element.F_R*n;
    frame_b.f = Frames.resolve2(frame_b.R, Frames.resolve1(frame_a.R, f));
    frame_b.t = zeros(3);
    frame_a.f = -f;
    frame_a.t = -cross(r, f);
  end FrameFriction;
end Bristle;
